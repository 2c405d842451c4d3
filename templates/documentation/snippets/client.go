package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"
)

const (
	api = "{{ site_url }}/api/v1"
	key = "{{ key }}"
)

type Refusal struct {
	Status    int
	Code      string `json:"code"`
	Message   string `json:"message"`
	RequestID string `json:"request_id"`
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%d %s: %s (%s)", r.Status, r.Code, r.Message, r.RequestID)
}

func call(method, path string, body, found any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	once := make([]byte, 16) // the Idempotency-Key is the same for every try
	if _, err := rand.Read(once); err != nil {
		return err
	}
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequest(method, api+path, bytes.NewReader(content))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+key)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", once))
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		busy := answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable
		if busy && attempt < 4 {
			seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
			if err != nil {
				seconds = 1 << attempt
			}
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		if answer.StatusCode >= 300 {
			refusal := &Refusal{Status: answer.StatusCode}
			if err := json.NewDecoder(answer.Body).Decode(refusal); err != nil {
				return err
			}
			return refusal
		}
		return json.NewDecoder(answer.Body).Decode(found)
	}
}

func main() {
	var verdict struct{ Flags []string }
	err := call("POST", "/validate/single", map[string]string{"email": "role@test.emailcheck.app"}, &verdict)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Flags)

	var refusal *Refusal
	email := map[string]string{"email": "out_of_credits@test.emailcheck.app"}
	if err := call("POST", "/validate/single", email, &verdict); errors.As(err, &refusal) {
		fmt.Println(refusal.Code)
	}
}
