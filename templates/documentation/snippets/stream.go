package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

const api = "{{ site_url }}/api/v1"

func call(method, path, accept string, body io.Reader) io.ReadCloser {
	request, err := http.NewRequest(method, api+path, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer {{ key }}")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	if answer.StatusCode >= 300 {
		log.Fatal(answer.Status)
	}
	return answer.Body
}

func main() {
	emails := `{"emails": ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]}`
	sent := call("POST", "/validate/bulk", "application/json", strings.NewReader(emails))
	defer sent.Close()
	var list struct {
		BatchID string `json:"batch_id"`
	}
	if err := json.NewDecoder(sent).Decode(&list); err != nil {
		log.Fatal(err)
	}

	results := call("GET", "/validate/batch/"+list.BatchID+"/results", "application/x-ndjson", nil)
	defer results.Close()
	lines := json.NewDecoder(results)
	for {
		var row struct {
			Row             int
			Email, Category string
		}
		if err := lines.Decode(&row); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		fmt.Println(row.Row, row.Email, row.Category)
	}
}
