package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
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

func main() {
	fmt.Println(string(call("GET", "{{ path }}", "", nil)))
}
