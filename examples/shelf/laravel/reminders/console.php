<?php

// routes/console.php
Schedule::job(new RemindReaders)->dailyAt('07:00')->timezone('Europe/Berlin')->onOneServer();
