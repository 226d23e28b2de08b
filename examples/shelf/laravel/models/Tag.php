<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Model;

class Tag extends Model
{
    public $timestamps = false;

    protected $fillable = ['name'];

    public static function keysOf(?string $text): array
    {
        $names = str($text)->lower()->explode(',')->map(fn ($name) => trim($name))->filter()->unique();
        self::upsert($names->map(fn ($name) => ['name' => $name])->all(), ['name']);

        return self::whereIn('name', $names)->pluck('id')->all();
    }
}
