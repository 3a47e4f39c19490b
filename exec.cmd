@rem npm's scripts begin with "exec", so that no shell stands between npm and Node. cmd.exe knows no such word: here it is.
@%*
