package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"time"
)

// call waits as Retry-After says after 429 and 503; any other refusal ends with its message and request_id.
func call(method, path, contentType string, body []byte) []byte {
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequest(method, "{{ site_url }}/api/v1"+path, bytes.NewReader(body))
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer {{ key }}")
		request.Header.Set("Content-Type", contentType)
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
	file, err := os.ReadFile("addresses.csv")
	if err != nil {
		log.Fatal(err)
	}
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, _ := writer.CreateFormFile("file", "addresses.csv")
	part.Write(file)
	writer.Close()

	var sent list
	read(call("POST", "/validate/upload", writer.FormDataContentType(), form.Bytes()), &sent)
	batch := "/validate/batch/" + sent.BatchID
	for sent.Status == "queued" || sent.Status == "processing" {
		time.Sleep(2 * time.Second)
		read(call("GET", batch+"/status", "", nil), &sent)
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

	safe := call("GET", batch+"/export?segment=safe", "", nil)
	if err := os.WriteFile("safe.csv", safe, 0o600); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.Status)
}
