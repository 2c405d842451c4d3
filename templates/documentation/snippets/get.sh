curl "{{ site_url }}/api/v1{{ path }}" \
  -H "Authorization: Bearer {{ key }}"
