package llm_test

import (
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/llm"
	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestEveryServersWordsForOneTrouble: bodies as the servers send them, each with the trouble it means.
func TestEveryServersWordsForOneTrouble(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		want   footy.Reason
	}{
		"llama.cpp without projector":                {500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`, footy.ReasonModelBlind},
		"llama.cpp of 2024":                          {501, `{"error":{"code":501,"message":"This server does not support multimodal. Start it with ` + "`--mmproj`" + `","type":"not_supported_error"}}`, footy.ReasonModelBlind},
		"llama.cpp of old":                           {500, `{"error":{"code":500,"message":"unsupported content[].type","type":"server_error"}}`, footy.ReasonModelBlind},
		"llama.cpp template":                         {500, `{"error":{"code":500,"message":"Failed to parse messages: Unsupported content part type: image_url","type":"server_error"}}`, footy.ReasonModelBlind},
		"vLLM":                                       {400, `{"object":"error","message":"Qwen/Qwen2.5-7B-Instruct is not a multimodal model","type":"BadRequestError","param":null,"code":400}`, footy.ReasonModelBlind},
		"vLLM, nested":                               {400, `{"error":{"message":"Qwen/Qwen3-8B is not a multimodal model None","type":"BadRequestError","param":null,"code":400}}`, footy.ReasonModelBlind},
		"vLLM with a limit of none":                  {400, `{"error":{"message":"At most 0 image(s) may be provided in one prompt.","type":"BadRequestError","code":400}}`, footy.ReasonModelBlind},
		"vLLM with a limit of one":                   {400, `{"object":"error","message":"At most 1 image(s) may be provided in one request.","type":"BadRequestError","code":400}`, footy.ReasonModelContext},
		"vLLM with a limit of three":                 {400, `{"error":{"message":"At most 3 image(s) may be provided in one prompt.","type":"BadRequestError","code":400}}`, footy.ReasonModelContext},
		"Ollama":                                     {500, `{"error":{"message":"Failed to create new sequence: failed to process inputs: this model is missing data required for image input","type":"api_error","param":null,"code":null}}`, footy.ReasonModelBlind},
		"Ollama's abilities":                         {400, `{"error":{"message":"registry.ollama.ai/library/llama3:latest does not support vision","type":"invalid_request_error"}}`, footy.ReasonModelBlind},
		"LM Studio":                                  {400, `{"error":"Model does not support images. Please use a model that does."}`, footy.ReasonModelBlind},
		"mlx_lm":                                     {404, `{"error":"Only 'text' content type is supported."}`, footy.ReasonModelBlind},
		"written in Rust":                            {422, "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 93", footy.ReasonModelBlind},
		"messages of text only":                      {422, `{"detail":[{"type":"string_type","loc":["body","messages",1,"content"],"msg":"Input should be a valid string","input":[{"type":"text"}]}]}`, footy.ReasonModelBlind},
		"OpenAI":                                     {400, `{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error","param":"messages.[1].content.[2].type","code":null}}`, footy.ReasonModelBlind},
		"OpenRouter":                                 {404, `{"error":{"message":"No endpoints found that support image input","code":404}}`, footy.ReasonModelBlind},
		"llama.cpp, too long":                        {400, `{"error":{"code":400,"message":"request (5337 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5337,"n_ctx":2048}}`, footy.ReasonModelContext},
		"llama.cpp of 2025, too long":                {500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}}`, footy.ReasonModelContext},
		"llama.cpp while it writes":                  {500, `{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}`, footy.ReasonModelContext},
		"llama.cpp, picture over batch":              {500, `{"error":{"code":500,"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`, footy.ReasonModelContext},
		"behind a gateway":                           {400, `{"detail":"{\"error\":{\"code\":400,\"message\":\"request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it\",\"type\":\"exceed_context_size_error\"}}"}`, footy.ReasonModelContext},
		"vLLM, too long":                             {400, `{"object":"error","message":"This model's maximum context length is 2048 tokens. However, you requested 5849 tokens (5337 in the messages, 512 in the completion).","type":"BadRequestError","code":400}`, footy.ReasonModelContext},
		"vLLM, no room for the answer":               {400, `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 544. This model's maximum context length is 2048 tokens and your request has 1900 input tokens","type":"BadRequestError","code":400}}`, footy.ReasonModelContext},
		"vLLM, the decoder's prompt":                 {400, `{"error":{"message":"The decoder prompt (length 5500) is longer than the maximum model length of 4096. Make sure that ` + "`max_model_len`" + ` is no smaller","type":"BadRequestError","code":400}}`, footy.ReasonModelContext},
		"Ollama, too long":                           {400, `{"error":{"message":"the input length exceeds the context length","type":"invalid_request_error"}}`, footy.ReasonModelContext},
		"LM Studio, too long":                        {400, `{"error":"Trying to keep the first 5337 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}`, footy.ReasonModelContext},
		"OpenAI, too long":                           {400, `{"error":{"message":"Your input is too long.","type":"invalid_request_error","code":"context_length_exceeded"}}`, footy.ReasonModelContext},
		"text-generation-inference":                  {422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1900 `inputs` tokens\",\"error_type\":\"validation\"}", footy.ReasonModelContext},
		"loading":                                    {503, loading, footy.ReasonModelLoading},
		"warming up":                                 {503, `{"error":"model is warming up"}`, footy.ReasonModelLoading},
		"a gateway that has nobody":                  {503, "no healthy upstream", footy.ReasonModelUnreachable},
		"a gateway without its server":               {502, "<html><h1>502 Bad Gateway</h1></html>", footy.ReasonModelUnreachable},
		"another model":                              {404, `{"error":{"message":"model 'eyes' not found","type":"api_error"}}`, footy.ReasonModelMissing},
		"a wrong key":                                {401, `{"error":"bad key"}`, footy.ReasonModelDenied},
		"a gateway that lost patience":               {504, "upstream request timeout", footy.ReasonModelSlow},
		"too many questions":                         {429, `{"error":{"message":"slow down"}}`, footy.ReasonModelSlow},
		"a crash on one picture":                     {500, `{"error":{"code":500,"message":"failed to decode image bytes","type":"server_error"}}`, footy.ReasonModelError},
		"a page instead of an answer":                {200, "<html>welcome</html>", footy.ReasonModelUnreachable},
		"an error inside a 200":                      {200, `{"error":{"message":"upstream gone"}}`, footy.ReasonModelError},
		"blindness inside a 200":                     {200, `{"error":{"message":"No endpoints found that support image input","code":404}}`, footy.ReasonModelBlind},
		"an answer without a choice":                 {200, `{"choices":[]}`, footy.ReasonModelError},
		"talk":                                       {200, `{"choices":[{"finish_reason":"stop","message":{"content":"I see two teams."}}]}`, footy.ReasonModelJunk},
		"cut off where we said":                      {200, `{"choices":[{"finish_reason":"length","message":{"content":"{\"n\":"}}],"usage":{"completion_tokens":100}}`, footy.ReasonModelJunk},
		"cut off by the context":                     {200, `{"choices":[{"finish_reason":"length","message":{"content":"{\"n\":"}}],"usage":{"completion_tokens":7}}`, footy.ReasonModelContext},
		"cut off, nobody says where":                 {200, `{"choices":[{"finish_reason":"length","message":{"content":"{\"n\":"}}]}`, footy.ReasonModelJunk},
		"Ollama cannot think, which is no blindness": {400, `{"error":{"message":"\"llava\" does not support thinking","type":"api_error"}}`, footy.ReasonModelError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ask(t, client(setup(t, fails(c.status, c.body)).url, func(o *llm.Options) { o.LoadTimeout = 20 * time.Millisecond }))
			require.Error(t, err)
			require.Equal(t, c.want, footy.ReasonOf(err), "%v", err)
			require.NotEqual(t, footy.CodeNotFound, footy.CodeOf(err))
		})
	}
}

// TestARefusalThatNamesItsCause: as the servers of 2026 word it. What it means is said, the question is asked as before once it is over, and
// none is taken for an answer that could not be read.
func TestARefusalThatNamesItsCause(t *testing.T) {
	t.Parallel()
	const (
		blind, context, missing, memory = footy.ReasonModelBlind, footy.ReasonModelContext, footy.ReasonModelMissing, footy.ReasonModelMemory
		loads, slow, away, fault        = footy.ReasonModelLoading, footy.ReasonModelSlow, footy.ReasonModelUnreachable, footy.ReasonModelError
	)
	for name, c := range map[string]struct {
		status int
		body   string
		want   footy.Reason
	}{
		"llama.cpp, router":                {400, `{"error":{"code":400,"message":"model 'default' not found","type":"invalid_request_error"}}`, missing},
		"llama.cpp, router, cannot load":   {500, `{"error":{"code":500,"message":"model name=gemma-3-4b failed to load","type":"server_error"}}`, missing},
		"llama.cpp, router, loads":         {400, `{"error":{"code":400,"message":"model name=gemma-3-4b is loading","type":"invalid_request_error"}}`, loads},
		"llama.cpp, no slot":               {503, `{"error":{"code":503,"message":"no slot available","type":"unavailable_error"}}`, slow},
		"llama.cpp, KV cache":              {500, `{"error":{"code":500,"message":"failed to find free space in the KV cache","type":"server_error"}}`, context},
		"llama-swap, nothing":              {400, "", fault},
		"llama-swap, nothing, 500":         {500, "", fault},
		"llama-swap, nothing, 502":         {502, "", away},
		"llama-swap, nothing, 503":         {503, "", away},
		"llama-swap, other name":           {404, "could not find suitable inference handler for default", missing},
		"llama-swap, starts":               {502, "unable to start process: upstream command exited prematurely", away},
		"llama-swap, too many":             {429, "Too many requests", slow},
		"LM Studio, no eyes":               {200, `{"error":"Vision add-on is not loaded, but images were provided for processing"}`, blind},
		"LM Studio, no eyes, 400":          {400, `{"error":"Vision add-on is not loaded, but images were provided for processing"}`, blind},
		"LM Studio, no eyes, text":         {200, "Vision add-on is not loaded, but images were provided for processing", blind},
		"LM Studio, no eyes, answered":     {200, `{"choices":[{"message":{"content":"Error: Vision add-on is not loaded, but images were provided"}}]}`, blind},
		"LM Studio, no eyes, stream":       {200, "event: error\ndata: {\"error\":{\"message\":\"Vision add-on is not loaded\"}}\n\n", blind},
		"LM Studio, none":                  {200, `{"error":{"message":"No models loaded. Please load a model in the developer page or use the lms load command.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`, missing},
		"LM Studio, unloaded":              {400, `{"error":"Model is unloaded."}`, missing},
		"LM Studio, wrong name":            {400, `{"error":{"message":"Invalid model identifier \"default\". Please specify a valid downloaded model","code":"x"}}`, missing},
		"LM Studio, memory":                {400, `{"error":"Failed to load model \"big\". Error: Model loading was stopped due to insufficient system resources."}`, memory},
		"LM Studio, crash":                 {400, `{"error":"The model has crashed without additional information. (Exit code: 6)"}`, fault},
		"Ollama, not pulled":               {404, `{"error":{"message":"model \"llava:13b\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, missing},
		"Ollama, no name":                  {400, `{"error":{"message":"model is required","type":"invalid_request_error"}}`, missing},
		"Ollama, memory":                   {500, `{"error":{"message":"model requires more system memory (5.6 GiB) than is available (3.1 GiB)","type":"api_error"}}`, memory},
		"Ollama, graphics memory":          {500, `{"error":"llama runner process has terminated: cudaMalloc failed: out of memory"}`, memory},
		"Ollama, runner died":              {500, `{"error":"llama runner process has terminated: exit status 2"}`, fault},
		"Ollama, queue":                    {503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, slow},
		"Ollama, loads":                    {500, `{"error":"unexpected server status: llm server loading model"}`, loads},
		"Ollama, start":                    {500, `{"error":"timed out waiting for llama runner to start - progress 0.00"}`, loads},
		"Ollama, no eyes":                  {400, `{"error":{"message":"this model does not support image input (ref: 42)"}}`, blind},
		"vLLM, other name":                 {404, `{"object":"error","message":"The model ` + "`default`" + ` does not exist.","type":"NotFoundError","param":null,"code":404}`, missing},
		"vLLM, engine died":                {500, `{"error":{"message":"EngineCore encountered an issue. See stack trace (above) for the root cause.","type":"InternalServerError","code":500}}`, fault},
		"SGLang, context":                  {400, `{"object":"error","message":"The input (5337 tokens) is longer than the model's context length (4096 tokens).","type":"BadRequestError"}`, context},
		"SGLang, queue":                    {503, `{"object":"error","message":"The request queue is full.","code":503}`, slow},
		"TabbyAPI, none":                   {400, `{"detail":"No models are currently loaded."}`, missing},
		"TabbyAPI, context":                {400, `{"detail":{"error":{"message":"Prompt length 5000 is greater than max_seq_len 4096","trace":null}}}`, context},
		"KoboldCpp, busy":                  {503, `{"detail":{"msg":"Server is busy; please try again later.","type":"service_unavailable"}}`, slow},
		"LocalAI, cannot load":             {500, `{"error":{"code":500,"message":"could not load model: rpc error: code = Canceled desc = ","type":""}}`, missing},
		"LocalAI, no eyes":                 {500, `{"error":{"code":500,"message":"rpc error: code = Unknown desc = image input is not supported","type":""}}`, blind},
		"OpenRouter, credits":              {402, `{"error":{"message":"Insufficient credits. Add more","code":402}}`, footy.ReasonModelDenied},
		"OpenRouter, wrong name":           {400, `{"error":{"message":"google/gemma-9 is not a valid model ID","code":400}}`, missing},
		"OpenRouter, behind it":            {200, `{"choices":[{"error":{"code":502,"message":"Upstream error"},"finish_reason":"error","message":{"content":""}}]}`, away},
		"OpenRouter, limit behind it":      {200, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"gemma is temporarily rate-limited upstream"}}}`, slow},
		"OpenRouter, no eyes behind it":    {400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"This model does not support image inputs\"}}"}}}`, blind},
		"Groq, no such":                    {404, `{"error":{"message":"The model does not exist or you do not have access to it.","type":"invalid_request_error","code":"model_not_found"}}`, missing},
		"Groq, ended":                      {400, `{"error":{"message":"The model llama-3.2-90b-vision-preview has been decommissioned and is no longer supported.","code":"model_decommissioned"}}`, missing},
		"Groq, too large":                  {413, `{"error":{"message":"Request too large for model gemma on tokens per minute (TPM)","code":"rate_limit_exceeded"}}`, context},
		"Gemini, key":                      {400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]`, footy.ReasonModelDenied},
		"Gemini, no such":                  {404, `[{"error":{"code":404,"message":"models/eyes is not found for API version v1main, or is not supported for generateContent.","status":"NOT_FOUND"}}]`, missing},
		"Gemini, no eyes":                  {400, `[{"error":{"code":400,"message":"Image input modality is not enabled for models/gemma-3-1b-it","status":"INVALID_ARGUMENT"}}]`, blind},
		"Gemini, overloaded":               {503, `[{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}]`, slow},
		"OpenAI, quota":                    {429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, footy.ReasonModelDenied},
		"Jan":                              {400, `{"message":"Model has not been loaded, please load model first"}`, missing},
		"mlx_lm, other name":               {404, `{"error":"404 Client Error. Repository Not Found for url: https://hub.invalid/api/models/default"}`, missing},
		"mlx_lm, memory":                   {500, `{"error":"[metal::malloc] Attempting to allocate 38654705664 bytes which is greater than the maximum allowed buffer size"}`, memory},
		"LiteLLM, other name":              {400, `{"error":{"message":"Invalid model name passed in model=default","type":"None","code":"400"}}`, missing},
		"a server of Hugging Face loads":   {503, `{"error":"Model eyes is currently loading","estimated_time":20.0}`, loads},
		"text-generation-inference, queue": {429, `{"error":"Model is overloaded","error_type":"overloaded"}`, slow},
		"a proxy's limit of size":          {413, "<html><h1>413 Request Entity Too Large</h1></html>", context},
		"a proxy waited":                   {504, "<html><h1>504 Gateway Time-out</h1></html>", slow},
		"written in Rust":                  {422, "data did not match any variant of untagged enum MessageContent", blind},
		"other words: Model qwen is a text-only model and cannot process images":                       {400, `{"error":{"message":"Model qwen is a text-only model and cannot process images"}}`, blind},
		"other words: Multimodal inputs are not supported for this model":                              {400, `{"error":{"message":"Multimodal inputs are not supported for this model"}}`, blind},
		"other words: messages.1.content.0.type: Input should be 'text'":                               {400, `{"error":{"message":"messages.1.content.0.type: Input should be 'text'"}}`, blind},
		"other words: Vision is disabled for this model":                                               {400, `{"error":{"message":"Vision is disabled for this model"}}`, blind},
		"other words: Cannot process images: no multimodal projector loaded":                           {400, `{"error":{"message":"Cannot process images: no multimodal projector loaded"}}`, blind},
		"other words: input tokens exceed the configured limit of 4096 tokens":                         {400, `{"error":{"message":"input tokens exceed the configured limit of 4096 tokens"}}`, context},
		"other words: Prompt has 9000 tokens but the context limit is 4096":                            {400, `{"error":{"message":"Prompt has 9000 tokens but the context limit is 4096"}}`, context},
		"other words: std::bad_alloc":                                                                  {500, `{"error":{"message":"std::bad_alloc"}}`, memory},
		"other words: allocating 5000 MiB on device 0: cudaMalloc failed":                              {500, `{"error":{"message":"allocating 5000 MiB on device 0: cudaMalloc failed"}}`, memory},
		"other words: Multiple models are loaded. Please specify a model by providing a 'model' field": {400, `{"error":{"message":"Multiple models are loaded. Please specify a model by providing a 'model' field"}}`, missing},
		"other words: Model x is not available":                                                        {404, `{"error":{"message":"Model x is not available"}}`, missing},
		"other words: unsupported model: x":                                                            {400, `{"error":{"message":"unsupported model: x"}}`, missing},
		"other words: Unknown model 'x'":                                                               {400, `{"error":{"message":"Unknown model 'x'"}}`, missing},
		"other words: Model 'x' is not served by this server":                                          {400, `{"error":{"message":"Model 'x' is not served by this server"}}`, missing},
		"other words: slot unavailable":                                                                {500, `{"error":{"message":"slot unavailable"}}`, slow},
		"other words: Your credit balance is too low":                                                  {400, `{"error":{"message":"Your credit balance is too low"}}`, footy.ReasonModelDenied},
		"other words: unsupported image format":                                                        {400, `{"error":{"message":"unsupported image format"}}`, fault},
		"other words: cannot identify image file":                                                      {400, `{"error":{"message":"cannot identify image file"}}`, fault},
		"other words: failed to load grammar for model":                                                {500, `{"error":{"message":"failed to load grammar for model"}}`, fault},
		"other words: chat_template_kwargs: model x not found in templates":                            {400, `{"error":{"message":"chat_template_kwargs: model x not found in templates"}}`, fault},
		"text-generation-inference, context":                                                           {422, `{"error":"Input validation error: inputs tokens + max_new_tokens must be <= 4096. Given: 5000 inputs tokens and 512 max_new_tokens","error_type":"validation"}`, context},
		"Groq, pictures":                                                                               {400, `{"error":{"message":"Too many images provided. This model supports up to 5 images","type":"invalid_request_error"}}`, context},
		"Azure, no such":                                                                               {404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."}}`, missing},
		"LiteLLM, no provider":                                                                         {400, `{"error":{"message":"litellm.BadRequestError: LLM Provider NOT provided. Pass in the LLM provider you are trying to call. You passed model=eyes","code":"400"}}`, missing},
		"a gateway, quota":                                                                             {429, `{"error":"You exceeded your current quota, please check your plan and billing details."}`, footy.ReasonModelDenied},
		"a text model behind it":                                                                       {200, `{"choices":[{"message":{"content":"I'm sorry, I cannot view the images you sent."}}]}`, blind},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var over atomic.Bool
			s := setup(t, func(w http.ResponseWriter, r *http.Request) {
				if over.Load() {
					content(good)(w, r)
					return
				}
				fails(c.status, c.body)(w, r)
			})
			client := client(s.url, func(o *llm.Options) { o.LoadTimeout = 20 * time.Millisecond })
			for range 2 {
				_, err := ask(t, client)
				require.Equal(t, c.want, footy.ReasonOf(err), "%v", err)
			}
			over.Store(true)
			_, err := ask(t, client)
			require.NoError(t, err)
			require.Equal(t, s.asked()[0], s.asked()[len(s.asked())-1], "nothing was given up")
		})
	}
}

// TestTroubleIsSaidInWords: what Go calls it is for nobody.
func TestTroubleIsSaidInWords(t *testing.T) {
	t.Parallel()
	late := setup(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	types := setup(t, fails(200, `{"choices":[{"finish_reason":"stop","message":{"content":"{\"n\": \"many\"}"}}]}`))
	for url, says := range map[string]string{
		"http://127.0.0.1:1":   "no answer from the model server at http://127.0.0.1:1/v1: nothing listens at that address",
		"http://model.invalid": "model.invalid",
		setup(t, drops).url:    "it broke the connection off",
		late.url:               "gave no answer within 30ms",
		types.url:              "n must not be a string",
	} {
		_, err := ask(t, client(url, func(o *llm.Options) {
			if url == late.url {
				o.ComputeTimeout = 30 * time.Millisecond
			}
		}))
		require.ErrorContains(t, err, says)
		for _, raw := range []string{"Post ", "dial", "EOF", "deadline", "Go ", "unmarshal", "lookup", "127.0.0.1:53"} {
			require.NotContains(t, err.Error(), raw)
		}
	}
}

// TestAServerThatDiesOfAQuestion is gone when asked once more: that it broke the connection off says more.
func TestAServerThatDiesOfAQuestion(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		c, err := l.Accept()
		_ = l.Close()
		if err == nil {
			_, _ = c.Read(make([]byte, 1)) // before a question was written net/http asks once more by itself
			_ = c.Close()
		}
	}()
	_, err = ask(t, client("http://"+l.Addr().String()))
	require.True(t, network.BrokenOff(err), "%v", err)
	require.Equal(t, footy.ReasonModelUnreachable, footy.ReasonOf(err))
}

func TestNoAnswerAtAllIsUnreachableAndALateOneSlow(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://127.0.0.1:1", "http://model.invalid", setup(t, drops).url} {
		_, err := ask(t, client(url))
		require.Equal(t, footy.ReasonModelUnreachable, footy.ReasonOf(err), url)
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err), url)
	}
	require.Equal(t, footy.ReasonModelUnreachable, footy.ReasonOf(client("http://127.0.0.1:1").Ready(t.Context())))
	slow := setup(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := ask(t, client(slow.url, func(o *llm.Options) { o.ComputeTimeout = 30 * time.Millisecond }))
	require.Equal(t, footy.ReasonModelSlow, footy.ReasonOf(err))
	require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
}
