<?php

namespace Database\Seeders;

use App\Models\Book;
use App\Models\Tag;
use App\Models\User;
use Illuminate\Database\Seeder;

class ShelfSeeder extends Seeder
{
    private const BOOKS = [
        ['9780141439471', 'Frankenstein', 'Mary Shelley', 'novel'],
        ['9780141439563', 'Great Expectations', 'Charles Dickens', 'novel'],
        ['9780140449136', 'The Odyssey', 'Homer', 'sea, poem'],
        ['9780142437247', 'Moby-Dick', 'Herman Melville', 'sea, novel'],
        ['9780140424386', 'The Rime of the Ancient Mariner', 'Samuel Taylor Coleridge', 'sea, poem'],
        ['9780141392462', 'The Waves', 'Virginia Woolf', 'novel'],
    ];

    public function run(): void
    {
        User::where('email', 'test@example.com')->update(['role' => 'librarian']);
        if (Book::withTrashed()->exists()) {
            return;
        }
        foreach (self::BOOKS as $number => [$isbn, $title, $author, $tags]) {
            $price = 9.90 + 1.50 * $number;
            $book = Book::factory()->create(compact('isbn', 'title', 'author', 'price'));
            $book->tags()->sync(Tag::keysOf($tags));
        }
    }
}
