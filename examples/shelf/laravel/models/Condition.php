<?php

namespace App\Enums;

enum Condition: string
{
    case New = 'new';
    case Good = 'good';
    case Worn = 'worn';

    public function words(): string
    {
        return match ($this) {
            self::New => __('Like new'),
            self::Good => __('Good'),
            self::Worn => __('Worn'),
        };
    }
}
