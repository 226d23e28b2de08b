<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsTo;

class AuditEntry extends Model
{
    protected $fillable = ['user_id', 'book_id', 'action', 'details'];

    public function book(): BelongsTo
    {
        return $this->belongsTo(Book::class)->withTrashed();
    }

    public function person(): BelongsTo
    {
        return $this->belongsTo(User::class, 'user_id');
    }
}
