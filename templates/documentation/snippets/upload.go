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
	"time"
)

const api = "{{ site_url }}/api/v1"

type list struct {
	BatchID string `json:"batch_id"`
	Status  string `json:"status"`
}

func call(method, path, contentType string, body io.Reader) []byte {
	request, err := http.NewRequest(method, api+path, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer {{ key }}")
	request.Header.Set("Content-Type", contentType)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		log.Fatal(answer.Status, string(content))
	}
	return content
}

func read(content []byte) (found list) {
	if err := json.Unmarshal(content, &found); err != nil {
		log.Fatal(err)
	}
	return found
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

	sent := read(call("POST", "/validate/upload", writer.FormDataContentType(), &form))
	batch := "/validate/batch/" + sent.BatchID
	for sent.Status == "queued" || sent.Status == "processing" {
		time.Sleep(2 * time.Second)
		sent = read(call("GET", batch+"/status", "", nil))
	}
	safe := call("GET", batch+"/export?segment=safe", "", nil)
	if err := os.WriteFile("safe.csv", safe, 0o600); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sent.Status)
}
