<?php

namespace App\Notifications;

use App\Models\Loan;
use Illuminate\Notifications\Messages\MailMessage;
use Illuminate\Notifications\Notification;

class LoanDue extends Notification
{
    public function __construct(public Loan $loan) {}

    public function via(object $notifiable): array
    {
        return ['mail'];
    }

    public function toMail(object $notifiable): MailMessage
    {
        $title = $this->loan->book->title;

        return (new MailMessage)
            ->subject($this->loan->isOverdue()
                ? __('“:title” is overdue', ['title' => $title])
                : __('“:title” is due soon', ['title' => $title]))
            ->line(__('Please bring it back by :day, or give it to somebody who does.', ['day' => $this->loan->due_on->toDateString()]))
            ->action(__('See your loans'), route('loans'));
    }
}
