<?php

// config/filesystems.php, among the disks.
'covers' => env('S3_BUCKET') ? [
    'driver' => 's3',
    'key' => env('S3_ACCESS_KEY_ID'),
    'secret' => env('S3_SECRET_ACCESS_KEY'),
    'region' => env('S3_REGION', 'eu-central-1'),
    'bucket' => env('S3_BUCKET'),
    'endpoint' => env('S3_ENDPOINT'),
    'use_path_style_endpoint' => true,
] : [
    'driver' => 'local',
    'root' => storage_path('app/covers'),
    'serve' => true,
],
