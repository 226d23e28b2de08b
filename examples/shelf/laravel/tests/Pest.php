<?php

use App\Models\Book;
use App\Models\Loan;
use App\Models\User;
use Illuminate\Foundation\Testing\RefreshDatabase;
use Illuminate\Support\Facades\DB;

pest()->extend(Tests\TestCase::class)->use(RefreshDatabase::class)->in('Feature');

function reader(): User
{
    return User::factory()->create(['name' => 'Rita Reader']);
}

function librarian(): User
{
    return User::factory()->create(['name' => 'Lib Rarian', 'role' => 'librarian']);
}

function lent(Book $book, User $reader): Loan
{
    return Loan::lend($book, $reader);
}

function form(array $other = []): array
{
    return $other + [
        'title' => 'The Sea', 'author' => 'John Banville', 'isbn' => '9780330483292', 'pages' => '264',
        'price' => '19.90', 'condition' => 'good', 'bought_on' => '2026-05-04', 'tags' => 'Sea, novel, sea',
    ];
}

function queries(Closure $work): int
{
    DB::flushQueryLog();
    DB::enableQueryLog();
    $work();

    return count(DB::getQueryLog());
}
