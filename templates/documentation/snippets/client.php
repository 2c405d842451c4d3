<?php
const API = '{{ site_url }}/api/v1';
const KEY = '{{ key }}';

class EmailCheckError extends RuntimeException
{
    public function __construct(public int $status, public array $body)
    {
        parent::__construct("$status {$body['code']}: {$body['message']} ({$body['request_id']})");
    }
}

function call(string $method, string $path, ?array $body = null): array
{
    $headers = ['Authorization: Bearer ' . KEY, 'Content-Type: application/json'];
    if ($method === 'POST') {
        $headers[] = 'Idempotency-Key: ' . bin2hex(random_bytes(16)); // the same for every try
    }
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $curl = curl_init(API . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HTTPHEADER => $headers,
        ] + ($body ? [CURLOPT_POSTFIELDS => json_encode($body)] : []));
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if (($status !== 429 && $status !== 503) || $attempt === 4) {
            break;
        }
        sleep(curl_getinfo($curl, CURLINFO_RETRY_AFTER) ?: 2 ** $attempt);
    }
    if ($answer === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $found = json_decode($answer, true);
    if ($status >= 300) {
        throw new EmailCheckError($status, $found);
    }
    return $found;
}

echo implode(', ', call('POST', '/validate/single', ['email' => 'role@test.emailcheck.app'])['flags']), PHP_EOL;
try {
    call('POST', '/validate/single', ['email' => 'out_of_credits@test.emailcheck.app']);
} catch (EmailCheckError $error) {
    echo $error->body['code'], PHP_EOL;
}
