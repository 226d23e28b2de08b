<?php

namespace App\Models;

use App\Enums\Condition;
use App\Observers\BookObserver;
use Illuminate\Database\Eloquent\Attributes\ObservedBy;
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Factories\HasFactory;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsToMany;
use Illuminate\Database\Eloquent\Relations\HasMany;
use Illuminate\Database\Eloquent\Relations\HasOne;
use Illuminate\Database\Eloquent\SoftDeletes;
use Illuminate\Support\Facades\Storage;

#[ObservedBy(BookObserver::class)]
class Book extends Model
{
    use HasFactory, SoftDeletes;

    protected $fillable = ['isbn', 'title', 'author', 'pages', 'price', 'condition', 'bought_on', 'cover', 'version'];

    protected function casts(): array
    {
        return ['price' => 'decimal:2', 'condition' => Condition::class, 'bought_on' => 'date'];
    }

    public function tags(): BelongsToMany
    {
        return $this->belongsToMany(Tag::class);
    }

    public function loans(): HasMany
    {
        return $this->hasMany(Loan::class);
    }

    public function openLoan(): HasOne
    {
        return $this->hasOne(Loan::class)->where('is_open', true);
    }

    public function scopeWithShelf(Builder $query): void
    {
        $query->with('tags', 'openLoan');
    }

    public function scopeSearch(Builder $query, string $words): void
    {
        $escaped = addcslashes($words, '\\%_');
        $query->where(fn (Builder $any) => $any
            ->whereLike('title', "%$escaped%")
            ->orWhereLike('author', "%$escaped%")
            ->orWhereLike('isbn', "$escaped%"));
    }

    public function isLent(): bool
    {
        return $this->openLoan !== null;
    }

    public function coverUrl(): ?string
    {
        return $this->cover ? Storage::disk('covers')->temporaryUrl($this->cover, now()->addMinutes(10)) : null;
    }
}
