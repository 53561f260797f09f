package browser

import "github.com/chromedp/chromedp"

// What a page can show.
const (
	pageLogin = "login"
	pageError = "error"
	pageEmpty = "empty"
	pagePosts = "posts"
	pageHome  = "home"
)

// pageState asks the page what it shows. Results never come from the page, only from its calls.
func (t *tab) pageState() (seen, account string) {
	var out struct{ Seen, Account string }
	if err := t.within(stateTimeout, chromedp.Evaluate(stateScript, &out)); err != nil {
		return "", ""
	}
	return out.Seen, out.Account
}

const stateScript = `(() => {
	const has = s => !!document.querySelector(s);
	const link = document.querySelector('[data-testid="AppTabBar_Profile_Link"]');
	const account = link ? new URL(link.href).pathname.split("/").pop() : "";
	let seen = "";
	if (has('[data-testid="tweet"]')) seen = "posts";
	else if (has('[data-testid="emptyState"]')) seen = "empty";
	else if (has('[data-testid="error-detail"]') || /something went wrong/i.test(document.body ? document.body.innerText : "")) seen = "error";
	else if (has('input[autocomplete="username"], [data-testid="loginButton"], [data-testid="LoginForm_Login_Button"]')) seen = "login";
	else if (link) seen = "home";
	return {Seen: seen, Account: account};
})()`
