<?php
/** $secret is the endpoint's whsec_…, $body comes from file_get_contents('php://input'). */
function is_ours(string $secret, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'];
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'];
    if (abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $right = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']) as $one) {
        if (hash_equals($right, $one)) {
            return true;
        }
    }
    return false;
}
