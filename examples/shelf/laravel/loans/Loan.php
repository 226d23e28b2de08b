<?php

namespace App\Models;

use App\Observers\LoanObserver;
use Illuminate\Database\Eloquent\Attributes\ObservedBy;
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Factories\HasFactory;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsTo;
use Illuminate\Database\UniqueConstraintViolationException;
use Illuminate\Support\Facades\DB;

#[ObservedBy(LoanObserver::class)]
class Loan extends Model
{
    use HasFactory;

    private const DAYS = 28;

    protected $fillable = ['book_id', 'user_id', 'lent_on', 'due_on', 'returned_on', 'reminded_on', 'is_open'];

    protected function casts(): array
    {
        return [
            'lent_on' => 'date', 'due_on' => 'date', 'returned_on' => 'date', 'reminded_on' => 'date',
            'is_open' => 'boolean',
        ];
    }

    public function book(): BelongsTo
    {
        return $this->belongsTo(Book::class)->withTrashed();
    }

    public function reader(): BelongsTo
    {
        return $this->belongsTo(User::class, 'user_id');
    }

    public function scopeOpen(Builder $query): void
    {
        $query->where('is_open', true);
    }

    public static function lend(Book $book, User $reader): ?self
    {
        try {
            return DB::transaction(fn () => self::create([
                'book_id' => $book->id,
                'user_id' => $reader->id,
                'lent_on' => today(),
                'due_on' => today()->addDays(self::DAYS),
                'is_open' => true,
            ]));
        } catch (UniqueConstraintViolationException) {
            return null;
        }
    }

    public function takeBack(): void
    {
        if ($this->is_open) {
            DB::transaction(fn () => $this->update(['is_open' => null, 'returned_on' => today()]));
        }
    }

    public function isOverdue(): bool
    {
        return $this->is_open && $this->due_on->isBefore(today());
    }
}
