package browser

import "github.com/chromedp/chromedp"

// What a page can show.
const (
	seenLogin = "login"
	seenError = "error"
	seenEmpty = "empty"
	seenPosts = "posts"
	seenHome  = "home"
)

// look asks the page what it shows. It tells the page's state; results come from the calls alone.
func (t *tab) look() (seen, account string) {
	var out struct{ Seen, Account string }
	if err := t.within(lookTimeout, chromedp.Evaluate(lookScript, &out)); err != nil {
		return "", ""
	}
	return out.Seen, out.Account
}

const lookScript = `(() => {
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
