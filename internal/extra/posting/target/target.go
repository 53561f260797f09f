// Package target keeps one post of our own about each goal at each target, a channel or an account: made once, edited when the goal
// is corrected or a better clip comes, deleted when the goal no longer stands. What is to happen follows from the stored goal alone;
// each step is written down before and after the service is asked. The adapters below are thin clients: whether a request that failed
// left this machine, and how long a service wants to be left alone, decide what may be done next, and libraries hide both.
package target

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/decide/news"
	"github.com/found-footy/found-footy/internal/extra/posting/rule"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/store"
)

// Service is one channel or account. Its errors are footy.Errors: CodeRateLimited with its wait, CodeAuthRequired, CodeRejected for what
// it does not take, CodeNotFound for a post that is gone, CodeUnavailable; ErrUnknown in the chain if a request may have been carried out.
type Service interface {
	Traits() Traits
	Create(ctx context.Context, p Post) (Ref, error)
	Delete(ctx context.Context, at Ref) error
	// Test tries the credentials, with a message where that troubles nobody; did says what was tried.
	Test(ctx context.Context) (did string, err error)
}

// Uploader is a service that takes files before the post that names them; elsewhere they travel with the post.
type Uploader interface {
	// Upload hands in a file that is not shown before the post, and waits until it is processed.
	Upload(ctx context.Context, f File) (handle string, err error)
}

// Editor is a service whose posts can be edited.
type Editor interface {
	Edit(ctx context.Context, at Ref, p Post) (Ref, error)
}

// Traits are what a service can do and what it takes.
type Traits struct {
	Name       string // as people call it
	Target     string // channel or account, for telling two of a service apart; it may be secret
	Text       rule.Limit
	MaxVideo   int64 // bytes; 0: it gets pictures
	MaxPicture int64
}

// Ref is where a post is.
type Ref struct{ ID, URL string }

// Post is what one says and shows.
type Post struct {
	Text   string
	Link   string // also in Text; "" without a public address
	File   *File  // nil: text alone
	Handle string // of a file that was handed in before
	At     time.Time
}

// File is a clip or its poster. It is read while it is sent, and never held in memory.
type File struct {
	Name, Type    string
	Size          int64
	Open          func(from int64) (io.ReadCloser, error) // anew for each try
	Video         bool
	Width, Height int
	Seconds       float64
	About         string // what it shows, for readers who cannot see it
}

// Options of a target. SendTest needs none of those from Store to Page.
type Options struct {
	Service  Service
	Template rule.Template
	Verified bool // only with a verified clip; else as soon as the goal is certain
	Store    store.Store
	Blob     blob.Store
	Filter   func(context.Context) (news.Filter, error)           // of what is posted
	BaseURL  string                                               // public address of the page; "": posts have no link
	Lead     func(ctx context.Context, name string) (bool, error) // whether this process is the one that posts
	Page     footy.Publisher
	Call     time.Duration // what one call may take; 0: two minutes
	Now      func() time.Time
}

const callTime = 2 * time.Minute

// Target posts at one service.
type Target struct {
	opt      Options
	traits   Traits
	key      string
	uploader Uploader // nil: its service is none
	editor   Editor   // idem

	mu     sync.Mutex
	rest   time.Time // the service wants no call before
	since  time.Time // when this target was set up
	looked time.Time // last look at matches that are long over
}

// New makes a target.
func New(o Options) *Target {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Call == 0 {
		o.Call = callTime
	}
	t := &Target{opt: o, traits: o.Service.Traits()}
	t.uploader, _ = o.Service.(Uploader)
	t.editor, _ = o.Service.(Editor)
	sum := sha256.Sum256([]byte(t.traits.Name + "\n" + t.traits.Target))
	t.key = hex.EncodeToString(sum[:6])
	return t
}

// Name of the service.
func (t *Target) Name() string { return t.traits.Name }

// SendTest tries the credentials; did says what was tried.
func (t *Target) SendTest(ctx context.Context) (did string, err error) {
	ctx, cancel := context.WithTimeout(ctx, t.opt.Call)
	defer cancel()
	return t.opt.Service.Test(ctx)
}
