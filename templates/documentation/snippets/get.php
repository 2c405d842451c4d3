<?php
/** After 429 and 503 waits as Retry-After says; any other refusal ends with its message and request_id. */
function call(string $path, mixed $body = null, string ...$headers): string
{
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $curl = curl_init('{{ site_url }}/api/v1' . $path);
        curl_setopt_array($curl, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => ['Authorization: Bearer {{ key }}', ...$headers],
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (($status !== 429 && $status !== 503) || $attempt === 4) {
            break;
        }
        sleep(curl_getinfo($curl, CURLINFO_RETRY_AFTER) ?: 2 ** $attempt);
    }
    if ($answer === false || $status >= 300) {
        throw new RuntimeException($answer ?: curl_error($curl));
    }
    return $answer;
}

print_r(json_decode(call('{{ path }}'), true));
