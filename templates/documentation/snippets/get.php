<?php
$curl = curl_init('{{ site_url }}/api/v1{{ path }}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_FAILONERROR => true,
    CURLOPT_HTTPHEADER => ['Authorization: Bearer {{ key }}'],
]);
$answer = curl_exec($curl);
if ($answer === false) {
    exit(curl_error($curl));
}
print_r(json_decode($answer, true));
