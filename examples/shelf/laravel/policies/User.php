<?php

// Added to App\Models\User.
public function isLibrarian(): bool
{
    return $this->role === 'librarian';
}
