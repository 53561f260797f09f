package xpost

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
)

// linked is what X may make a link of: an address, and a bare domain.
var linked = regexp.MustCompile(`://|\.([a-z]{2,})`)

func priceOf(text string) bill.Money {
	for _, m := range linked.FindAllStringSubmatch(strings.ToLower(text), -1) {
		if _, known := publicsuffix.PublicSuffix(m[1]); known || m[1] == "" { // 1.FC is no domain
			return bill.LinkedPostMade
		}
	}
	return bill.PostMade
}

// unpaid is a call that was not made, or not answered, for want of money.
type unpaid struct{ why footy.SearchState }

func (u unpaid) Error() string { return words(u.why) }

func words(why footy.SearchState) string {
	fault, remedy := bill.Words(why, bill.PostCap)
	return fault + ". " + remedy
}

// noMoney is a wait of one goal. It has no RetryAfter, which would hold up the deletion of other goals' posts.
func noMoney(op string, why footy.SearchState) error {
	return &footy.Error{Code: footy.CodeRateLimited, Op: op, Err: unpaid{why}}
}

// canPay looks whether the cheapest post can be paid for.
func (a *Account) canPay(ctx context.Context) error {
	const op = "read the spending"
	_, stop, err := a.purse.State(ctx, bill.PostMade)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if stop != nil && a.opt.Now().Before(stop.Until) {
		return noMoney(op, stop.Why)
	}
	return nil
}

// pay makes a call that costs money. What could not be noted afterwards stays set aside: too much is counted rather than too little.
func (a *Account) pay(ctx context.Context, op string, most bill.Money, call func() (cost bill.Money, err error)) error {
	set, stop, err := a.purse.Begin(ctx, most)
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if stop != nil {
		return noMoney(op, stop.Why)
	}
	cost, err := call()
	var none unpaid
	switch {
	case err == nil:
		_ = set.End(ctx, cost)
	case errors.As(err, &none):
		_ = set.Refused(ctx, none.why)
	case !errors.Is(err, posting.ErrUnknown):
		_ = set.Cancel(ctx)
	}
	return err
}
