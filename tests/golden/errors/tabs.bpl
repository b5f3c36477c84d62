// RUN: check
procedure main()
{
		assert		oops;	// the caret stands under the name
}
