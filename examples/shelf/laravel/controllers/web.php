<?php

use App\Http\Controllers\ActivityController;
use App\Http\Controllers\BookController;
use App\Http\Controllers\ExportController;
use App\Http\Controllers\InvitationController;
use App\Http\Controllers\LoanController;
use App\Models\Book;
use Illuminate\Support\Facades\Route;

Route::middleware('auth')->group(function () {
    Route::resource('books', BookController::class)->only(['index', 'show']);
    Route::get('/loans', [LoanController::class, 'index'])->name('loans');
    Route::post('/books/{book}/loans', [LoanController::class, 'store'])->name('loans.store');
    Route::delete('/loans/{loan}', [LoanController::class, 'destroy'])->name('loans.destroy');
    Route::middleware('can:manage,'.Book::class)->group(function () {
        Route::resource('books', BookController::class)->except(['index', 'show']);
        Route::get('/books.csv', ExportController::class)->name('books.csv');
        Route::get('/activity', ActivityController::class)->name('activity');
        Route::get('/invitations/create', [InvitationController::class, 'create'])->name('invitations.create');
        Route::post('/invitations', [InvitationController::class, 'store'])->middleware('throttle:20,1')->name('invitations.store');
    });
});
Route::middleware(['signed', 'guest'])->group(function () {
    Route::get('/join', [InvitationController::class, 'show'])->name('join');
    Route::post('/join', [InvitationController::class, 'join'])->middleware('throttle:6,1')->name('join.store');
});
