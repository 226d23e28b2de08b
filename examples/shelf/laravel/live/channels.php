<?php

use App\Models\User;
use Illuminate\Support\Facades\Broadcast;

Broadcast::channel('shelf', fn (User $user) => true);
