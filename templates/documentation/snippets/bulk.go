package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	body := strings.NewReader(`{"emails": ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"]}`)
	request, err := http.NewRequest("POST", "{{ site_url }}/api/v1/validate/bulk", body)
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
	if answer.StatusCode >= 300 {
		log.Fatal(answer.Status)
	}
	var list struct {
		Results []struct{ Email, Category string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
		log.Fatal(err)
	}
	for _, row := range list.Results {
		fmt.Println(row.Email, row.Category)
	}
}
