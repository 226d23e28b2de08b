<?php

namespace App\Http\Controllers;

use App\Models\AuditEntry;
use Illuminate\View\View;

class ActivityController extends Controller
{
    public function __invoke(): View
    {
        return view('activity', ['entries' => AuditEntry::with('book', 'person')->latest('id')->cursorPaginate(50)]);
    }
}
