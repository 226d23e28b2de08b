<?php

// Added to App\Models\User.
public function loans(): HasMany
{
    return $this->hasMany(Loan::class);
}
