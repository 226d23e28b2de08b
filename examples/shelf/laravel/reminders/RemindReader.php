<?php

namespace App\Jobs;

use App\Models\Loan;
use App\Notifications\LoanDue;
use Illuminate\Bus\Batchable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;

class RemindReader implements ShouldQueue
{
    use Batchable, Queueable;

    public function __construct(public int $loan) {}

    public function handle(): void
    {
        $claimed = Loan::open()
            ->whereKey($this->loan)
            ->where(fn ($any) => $any->whereNull('reminded_on')->orWhere('reminded_on', '<', today()))
            ->update(['reminded_on' => today()]);
        if ($claimed === 0) {
            return;
        }
        $loan = Loan::with('book', 'reader')->findOrFail($this->loan);
        $loan->reader?->notify(new LoanDue($loan));
    }
}
