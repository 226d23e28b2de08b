<?php

namespace App\Jobs;

use App\Models\Loan;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Support\Facades\Bus;
use Illuminate\Support\Facades\Log;

class RemindReaders implements ShouldQueue
{
    use Queueable;

    public function handle(): void
    {
        $due = Loan::open()->where('due_on', '<=', today()->addDay())->pluck('id');
        Log::info('readers to remind', ['loans' => $due->count()]);
        if ($due->isNotEmpty()) {
            Bus::batch($due->map(fn ($loan) => new RemindReader($loan)))
                ->name('reminders of '.today()->toDateString())
                ->allowFailures()
                ->dispatch();
        }
    }
}
