<?php
const API = '{{ site_url }}/api/v1';
const AUTH = 'Authorization: Bearer {{ key }}';

$emails = ['valid@test.emailcheck.app', 'catch_all@test.emailcheck.app'];
$curl = curl_init(API . '/validate/bulk');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_HTTPHEADER => [AUTH, 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['emails' => $emails]),
]);
$sent = curl_exec($curl);
if ($sent === false) {
    exit(curl_error($curl));
}
$batch = json_decode($sent, true)['batch_id'];

$context = stream_context_create(['http' => ['header' => [AUTH, 'Accept: application/x-ndjson']]]);
$lines = fopen(API . "/validate/batch/$batch/results", 'r', false, $context);
while ($lines && ($line = fgets($lines)) !== false) {
    $row = json_decode($line, true);
    echo $row['row'], ' ', $row['email'], ' ', $row['category'], PHP_EOL;
}
