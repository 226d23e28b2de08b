<?php

// In boot() of App\Providers\AppServiceProvider.
RateLimiter::for('open-library', fn () => Limit::perMinute(30));
Event::listen(fn (BookAdded $event) => LookUpPages::dispatch($event->book));
