package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", "{{ site_url }}/api/v1{{ path }}", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer {{ key }}")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		log.Fatal(answer.Status)
	}
	io.Copy(os.Stdout, answer.Body)
}
