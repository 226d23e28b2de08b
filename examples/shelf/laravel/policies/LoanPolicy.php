<?php

namespace App\Policies;

use App\Models\Loan;
use App\Models\User;

class LoanPolicy
{
    public function return(User $user, Loan $loan): bool
    {
        return $user->isLibrarian() || $loan->user_id === $user->id;
    }
}
