package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsOurs: secret is the endpoint's whsec_…, body the bytes exactly as they came.
func IsOurs(secret string, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	hash.Write(body)
	right := []byte("v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil)))
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal(right, []byte(one)) {
			return true
		}
	}
	return false
}
