<?php

namespace Database\Factories;

use Illuminate\Database\Eloquent\Factories\Factory;

class LoanFactory extends Factory
{
    public function definition(): array
    {
        return ['lent_on' => today(), 'due_on' => today()->addDays(28), 'is_open' => true];
    }
}
