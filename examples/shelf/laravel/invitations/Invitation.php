<?php

namespace App\Notifications;

use Illuminate\Bus\Queueable;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Notifications\Messages\MailMessage;
use Illuminate\Notifications\Notification;

class Invitation extends Notification implements ShouldQueue
{
    use Queueable;

    public function __construct(public string $by, public string $url) {}

    public function via(object $notifiable): array
    {
        return ['mail'];
    }

    public function toMail(object $notifiable): MailMessage
    {
        return (new MailMessage)
            ->subject(__(':name invites you to the library', ['name' => $this->by]))
            ->line(__('With an account you can borrow books. The link is good for three days.'))
            ->action(__('Join'), $this->url);
    }
}
