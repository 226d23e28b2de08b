<?php

use App\Http\Controllers\Api\BookController;
use App\Http\Controllers\Api\LoanController;
use App\Http\Controllers\Api\TokenController;
use Illuminate\Support\Facades\Route;

Route::post('/tokens', TokenController::class)->middleware('throttle:6,1');
Route::middleware('auth:sanctum')->group(function () {
    Route::get('/books', [BookController::class, 'index']);
    Route::get('/books/{book}', [BookController::class, 'show']);
    Route::post('/books/{book}/loans', [LoanController::class, 'store']);
    Route::delete('/loans/{loan}', [LoanController::class, 'destroy']);
});
