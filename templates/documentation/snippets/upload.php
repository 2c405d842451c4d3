<?php
const API = '{{ site_url }}/api/v1';

function call(string $path, ?array $form = null): string
{
    $curl = curl_init(API . $path);
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FAILONERROR => true,
        CURLOPT_HTTPHEADER => ['Authorization: Bearer {{ key }}'],
    ] + ($form ? [CURLOPT_POSTFIELDS => $form] : []));
    $answer = curl_exec($curl);
    if ($answer === false) {
        throw new RuntimeException(curl_error($curl));
    }
    return $answer;
}

$file = new CURLFile('addresses.csv', 'text/csv', 'addresses.csv');
$sent = json_decode(call('/validate/upload', ['file' => $file]), true);
$batch = '/validate/batch/' . $sent['batch_id'];

$status = $sent['status'];
while (in_array($status, ['queued', 'processing'], true)) {
    sleep(2);
    $status = json_decode(call("$batch/status"), true)['status'];
}

file_put_contents('safe.csv', call("$batch/export?segment=safe"));
echo $status, PHP_EOL;
