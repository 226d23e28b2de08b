<?php

// routes/console.php
Schedule::call(function () {
    $disk = Storage::disk('covers');
    $kept = Book::withTrashed()->whereNotNull('cover')->pluck('cover')->flip();
    foreach ($disk->files('books') as $path) {
        if (! $kept->has($path) && $disk->lastModified($path) < now()->subDay()->timestamp) {
            $disk->delete($path);
        }
    }
})->name('sweep covers')->weeklyOn(0, '04:00')->withoutOverlapping();
