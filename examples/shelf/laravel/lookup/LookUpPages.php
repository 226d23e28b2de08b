<?php

namespace App\Jobs;

use App\Models\Book;
use Illuminate\Contracts\Queue\ShouldBeUnique;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Queue\Middleware\RateLimited;
use Illuminate\Support\Facades\Http;

class LookUpPages implements ShouldBeUnique, ShouldQueue
{
    use Queueable;

    public int $uniqueFor = 600;

    public function __construct(public int $book) {}

    public function uniqueId(): string
    {
        return (string) $this->book;
    }

    public function middleware(): array
    {
        return [new RateLimited('open-library')];
    }

    public function handle(): void
    {
        $book = Book::find($this->book);
        if ($book === null || $book->pages !== null) {
            return;
        }
        $key = "ISBN:{$book->isbn}";
        $found = Http::get('https://openlibrary.org/api/books', ['bibkeys' => $key, 'format' => 'json', 'jscmd' => 'data'])->throw()->json();
        if ($pages = $found[$key]['number_of_pages'] ?? null) {
            $book->update(['pages' => $pages]);
        }
    }
}
