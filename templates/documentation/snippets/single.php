<?php
$curl = curl_init('{{ site_url }}/api/v1/validate/single');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer {{ key }}',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode(['email' => 'valid@test.emailcheck.app']),
]);
$answer = curl_exec($curl);
if ($answer === false) {
    exit(curl_error($curl));
}
$verdict = json_decode($answer, true);
echo $verdict['category'], ' ', var_export($verdict['safe_to_send'], true), PHP_EOL;
