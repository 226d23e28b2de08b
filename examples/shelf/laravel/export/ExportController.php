<?php

namespace App\Http\Controllers;

use App\Models\Book;
use Symfony\Component\HttpFoundation\StreamedResponse;

class ExportController extends Controller
{
    public function __invoke(): StreamedResponse
    {
        return response()->streamDownload(function () {
            $out = fopen('php://output', 'w');
            fputcsv($out, ['isbn', 'title', 'author', 'price', 'tags', 'lent_until'], escape: '');
            foreach (Book::withShelf()->lazyById(500) as $book) {
                fputcsv($out, array_map($this->harmless(...), [
                    $book->isbn,
                    $book->title,
                    $book->author,
                    $book->price,
                    $book->tags->pluck('name')->join(' '),
                    $book->openLoan?->due_on->toDateString(),
                ]), escape: '');
            }
            fclose($out);
        }, 'books.csv', ['Content-Type' => 'text/csv']);
    }

    // A program for tables must not take a title for a formula.
    private function harmless(?string $text): ?string
    {
        return $text !== null && preg_match('/^[=+\-@\t\r]/', $text) ? "'$text" : $text;
    }
}
