package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(`{"email": "valid@test.emailcheck.app"}`)
	request, err := http.NewRequest("POST", "{{ site_url }}/api/v1/validate/single", body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer {{ key }}")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		log.Fatal(answer.Status)
	}
	var verdict struct {
		Category   string `json:"category"`
		SafeToSend bool   `json:"safe_to_send"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&verdict); err != nil {
		log.Fatal(err)
	}
	fmt.Println(verdict.Category, verdict.SafeToSend)
}
