<?php

namespace App\Observers;

use App\Events\ShelfChanged;
use App\Models\AuditEntry;
use App\Models\Loan;
use App\Notifications\Receipt;

class LoanObserver
{
    public function created(Loan $loan): void
    {
        $this->write($loan, 'lent', "until {$loan->due_on->toDateString()}");
        $loan->reader?->notify((new Receipt($loan))->afterCommit());
        ShelfChanged::dispatch($loan->book_id, true);
    }

    public function updated(Loan $loan): void
    {
        if ($loan->is_open) {
            return;
        }
        $this->write($loan, 'returned');
        ShelfChanged::dispatch($loan->book_id, false);
    }

    private function write(Loan $loan, string $action, string $details = ''): void
    {
        AuditEntry::create(['user_id' => auth()->id(), 'book_id' => $loan->book_id, 'action' => $action, 'details' => $details]);
    }
}
