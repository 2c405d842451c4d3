package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"
)

// call waits as Retry-After says after 429 and 503; any other refusal ends with its message and request_id.
func call(method, path, accept string, body []byte) []byte {
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequest(method, "{{ site_url }}/api/v1"+path, bytes.NewReader(body))
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
		content, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err == nil && answer.StatusCode < 300 {
			return content
		}
		if (answer.StatusCode != 429 && answer.StatusCode != 503) || attempt == 4 {
			log.Fatal(answer.Status, " ", string(content))
		}
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil {
			seconds = 1 << attempt
		}
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

type list struct {
	BatchID string `json:"batch_id"`
	Status  string
}

func read(content []byte, found any) {
	if err := json.Unmarshal(content, found); err != nil {
		log.Fatal(err)
	}
}

func main() {
	emails := []byte(`{"emails": ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]}`)
	var sent list
	read(call("POST", "/validate/bulk", "application/json", emails), &sent)
	batch := "/validate/batch/" + sent.BatchID
	for sent.Status == "queued" || sent.Status == "processing" {
		time.Sleep(2 * time.Second)
		read(call("GET", batch+"/status", "application/json", nil), &sent)
	}
	switch sent.Status {
	case "completed":
	case "paused":
		log.Fatal(sent.BatchID, " is paused: it goes on when its cause is gone")
	case "cancelled":
		log.Fatal(sent.BatchID, " is cancelled: somebody stopped it")
	default:
		log.Fatal(sent.BatchID, " is ", sent.Status, ": send it again")
	}

	lines := json.NewDecoder(bytes.NewReader(call("GET", batch+"/results", "application/x-ndjson", nil)))
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
