<?php

namespace App\Console\Commands;

use App\Models\User;
use Illuminate\Console\Command;

class MakeLibrarian extends Command
{
    protected $signature = 'shelf:librarian {email}';

    protected $description = 'Let somebody with an account look after the books';

    public function handle(): int
    {
        $person = User::where('email', $this->argument('email'))->first();
        if ($person === null) {
            $this->error("nobody has an account with {$this->argument('email')}");

            return self::FAILURE;
        }
        $person->forceFill(['role' => 'librarian'])->save();
        $this->info("{$person->name} looks after the books now");

        return self::SUCCESS;
    }
}
