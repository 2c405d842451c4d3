<?php
$emails = ['valid@test.emailcheck.app', 'invalid@test.emailcheck.app'];
$curl = curl_init('{{ site_url }}/api/v1/validate/bulk');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer {{ key }}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode(['emails' => $emails]),
]);
$answer = curl_exec($curl);
if ($answer === false) {
    exit(curl_error($curl));
}
foreach (json_decode($answer, true)['results'] as $row) {
    echo $row['email'], ' ', $row['category'], PHP_EOL;
}
