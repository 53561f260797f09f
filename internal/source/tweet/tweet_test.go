package tweet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/devtest"
	"github.com/found-footy/found-footy/internal/source/tweet"
)
