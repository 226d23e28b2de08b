<?php

namespace App\Observers;

use App\Events\BookAdded;
use App\Models\AuditEntry;
use App\Models\Book;

class BookObserver
{
    public function created(Book $book): void
    {
        $this->write($book, 'added');
        BookAdded::dispatch($book->id);
    }

    public function updating(Book $book): void
    {
        $this->write($book, 'changed', implode(', ', array_diff(array_keys($book->getDirty()), ['version'])));
    }

    public function deleted(Book $book): void
    {
        $this->write($book, 'removed');
    }

    private function write(Book $book, string $action, string $details = ''): void
    {
        AuditEntry::create(['user_id' => auth()->id(), 'book_id' => $book->id, 'action' => $action, 'details' => mb_substr($details, 0, 300)]);
    }
}
